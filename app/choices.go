package app

import (
	"reflect"
	"strings"

	"learnloop.dev/inorder"
	"learnloop.dev/privacy"
)

// Choice is a setting as it is written in files and flags.
type Choice struct {
	Key    string
	Values []string // all there are; nil when that are too many
}

// Choices lists every setting, ordered by key.
func Choices() []Choice {
	all := choices("", reflect.TypeFor[Config]())
	inorder.Sort(all, func(a, b Choice) int { return strings.Compare(a.Key, b.Key) })
	return all
}

func choices(prefix string, t reflect.Type) (all []Choice) {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case !f.IsExported():
		case f.Type.Kind() == reflect.Struct:
			all = append(all, choices(prefix+name+".", f.Type)...)
		case f.Type.Kind() == reflect.Bool:
			all = append(all, Choice{prefix + name, []string{"true", "false"}})
		default:
			all = append(all, Choice{prefix + name, words(prefix + name)})
		}
	}
	return all
}

// words are the values of settings that are one of a few words.
func words(key string) []string {
	switch key {
	case "log":
		return []string{"debug", "info", "warn", "error"}
	case "entitlement.tier":
		return tiers
	case "privacy.text_mode":
		return []string{string(privacy.Strict), string(privacy.Pattern), string(privacy.Full)}
	case "extraction.provider":
		return []string{withoutModel, "anthropic", "openai"}
	}
	return nil
}
