package main

import (
	"errors"
	"fmt"
	"time"

	"learnloop.dev/access"
	"learnloop.dev/api"
	"learnloop.dev/privacy"

	"github.com/spf13/cobra"
)

func (sh *shell) tokenCommand() *cobra.Command {
	list := &cobra.Command{
		Use: "list", Short: "List the tokens there are, revoked ones too",
		Example: "  learnloop token list", Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return sh.call(cmd.Context(), "tokens.list", nil, reading(sh.showTokens))
		},
	}
	revoke := &cobra.Command{
		Use: "revoke ID", Short: "Take a token out of force, for good",
		Long:    "From now on it opens nothing, in every process of the loop; browsers that signed in with it are signed out.",
		Example: "  learnloop token revoke 4kq2v7hxza", Args: exactly("ID"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return sh.call(cmd.Context(), "tokens.revoke", api.TokenRef{ID: args[0]}, reading(func(t api.TokenView) error {
				sh.sayf("The token %s (%s) opens nothing any more.", t.ID, t.Name)
				return nil
			}))
		},
	}
	return group("token", "Make, list and revoke tokens for HTTP, by role", sh.tokenCreateCommand(), list, revoke)
}

func (sh *shell) tokenCreateCommand() *cobra.Command {
	var in api.TokenWish
	var roles []string
	var lasts string
	c := &cobra.Command{
		Use: "create --role ROLE --name NAME", Short: "Make a token, and show it this once",
		Long: "What a token may do is its role: capture tells the loop what happened, read reads what was learned,\n" +
			"review reads and decides about learnings, admin does everything. It is sent as Authorization: Bearer, or\n" +
			"typed in where the dashboard asks who you are.",
		Example: "  learnloop token create --role review --name rita\n" +
			"  learnloop token create --role capture --role read --name agent-7 --expires 90d",
		Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if len(roles) == 0 || in.Name == "" {
				return misused(cmd, errors.New("say --role and --name"))
			}
			var err error
			if in.Roles, err = access.ParseRoles(roles); err != nil {
				return misused(cmd, err)
			}
			if in.Expires, err = endOf(lasts, time.Now()); err != nil {
				return misused(cmd, err)
			}
			return sh.call(cmd.Context(), "tokens.create", in, reading(sh.showNewToken))
		},
	}
	c.Flags().StringArrayVar(&roles, "role", nil, "the `role`, what it may do: capture, read, review or admin; may be repeated")
	c.Flags().StringVar(&in.Name, "name", "", "whose it is, or of what: the audit log calls its user by this `name`")
	c.Flags().StringVar(&lasts, "expires", "", "end it by itself after this `time`, such as 90d, or at a time of RFC 3339; never when not given")
	return c
}

// endOf is when something ends that lasts so long from now, or until then.
func endOf(lasts string, now time.Time) (time.Time, error) {
	if lasts == "" {
		return time.Time{}, nil
	}
	if at, err := time.Parse(time.RFC3339, lasts); err == nil {
		return at, nil
	}
	var age privacy.Age
	if err := age.UnmarshalText([]byte(lasts)); err != nil || age <= 0 {
		return time.Time{}, fmt.Errorf("--expires %q: want a time to last such as 90d or 12h, or one of RFC 3339", lasts)
	}
	return now.Add(time.Duration(age) * time.Second).UTC(), nil
}

func (sh *shell) showNewToken(t api.MintedToken) error {
	sh.sayf("%s", t.Token)
	sh.sayf("\nKeep it: it is not shown again. It is the token %s of %s (%s), %s.\nTo take it back: learnloop token revoke %s",
		t.ID, t.Name, t.Roles.String(), lasting(t.TokenView), t.ID)
	return nil
}

func lasting(t api.TokenView) string {
	if t.Expires == nil {
		return "good until it is revoked"
	}
	return "good until " + when(*t.Expires)
}

func (sh *shell) showTokens(l api.TokenList) error {
	if len(l.Tokens) == 0 {
		sh.sayf("There are none. To make one: learnloop token create --role ROLE --name NAME")
		return nil
	}
	rows := [][]string{{"ID", "NAME", "ROLES", "STATE", "CREATED", "EXPIRES"}}
	for _, t := range l.Tokens {
		expires := "-"
		if t.Expires != nil {
			expires = when(*t.Expires)
		}
		rows = append(rows, []string{t.ID, t.Name, t.Roles.String(), t.State, when(t.Created), expires})
	}
	return sh.table(rows)
}
