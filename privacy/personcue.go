package privacy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// introductions are words behind which somebody is named, with those that may stand between.
var introductions = map[string]string{
	"name": "is was 's ist é è es", "naam": "is", "nome": "é è", "nombre": "es", "heiße": "", "heisse": "", "heet": "", "heter": "", "hedder": "",
	"llamo": "", "chiamo": "", "chamo": "", "appelle": "", "author": "", "nazywam": "się", "imię": "to", "navn": "er", "namn": "är", "attn": "",
}

// thingNames are words that make a name one of a thing.
var thingNames = strings.Fields("file function class method variable package module table column field host domain branch event tag key process service " +
	"project repo repository product company brand city model type command path folder directory server database parameter " +
	"argument property attribute element game song book movie band team app container image cluster namespace bucket queue " +
	"topic role group")

// introduced finds the name behind an introduction, whose word is text[i:end].
func introduced(v view, i, end int) Finding {
	if n := end - i; n < 4 || n > 8 || !v.startsWord(i) {
		return Finding{}
	}
	end = nameEnd(v.text, end)
	first := lower(v.text[i])
	if strings.IndexByte("nhlcai", first) < 0 {
		return Finding{}
	}
	var space [16]byte
	word := space[:0]
	for k := i; k < end && len(word) < len(space); k++ {
		word = append(word, lower(v.text[k]))
	}
	links, ok := introductions[string(word)]
	if !ok || first == 'a' && string(word) == "author" && v.back(i, 1) != '@' || isThing(v, i) {
		return Finding{}
	}
	if first == 'a' && (v.next(end) == '.' || v.next(end) == ':') {
		end++
	}
	from, linked := afterLinks(v.text, end, links)
	if !linked {
		return Finding{}
	}
	return nameAfter(v, from)
}

// afterLinks returns where the text goes on behind one of the links, and whether there is one if there must be.
func afterLinks(text string, i int, links string) (next int, ok bool) {
	ok = links == ""
	for word := range strings.FieldsSeq(links) {
		for _, spaced := range [...]string{" " + word + " ", word + " "} {
			if strings.HasPrefix(text[i:], spaced) && (spaced[0] == ' ' || word == "'s") {
				return i + len(spaced), true
			}
		}
	}
	if i < len(text) && text[i] == ' ' {
		return i + 1, ok
	}
	return i, false
}

// nameAfter finds the words of a name at text[i], capitalised, or small when it is one of a few.
func nameAfter(v view, i int) Finding {
	if end := scriptName(v.text, i); end > i {
		return Finding{Person, i, end}
	}
	end := capitalised(v, i, maxNameWords)
	if end == i {
		return Finding{}
	}
	k := kindOf(v.text[i:nameWord(v.text, i)])
	if k&function != 0 && k&(given|doubtful|surname) == 0 || !endsName(v, end) || isStandIn(v.text[i:end]) || mixedCase(v.text[i:end]) && k == 0 {
		return Finding{}
	}
	return Finding{Person, i, end}
}

// isThing reports whether the word in front of text[i] names something that is nobody.
func isThing(v view, i int) bool {
	end := i
	for end > v.floor && i-end < 2 && (v.text[end-1] == ' ' || v.text[end-1] == '_') {
		end--
	}
	start := end
	for start > v.floor && end-start < 16 && isAlpha(v.text[start-1]) {
		start--
	}
	return slices.Contains(thingNames, strings.ToLower(v.text[start:end]))
}

// foreignWords are introductions in scripts whose words begin nothing else that is looked for.
const foreignWords = "Меня_зовут|меня_зовут|Моё_имя|Мое_имя|Уважаемый|Уважаемая|Дорогой|Дорогая|С_уважением|Господин|Госпожа|г-н|г-жа|" +
	"Мене_звати|мене_звати|Моє_ім'я|Шановний|Шановна|Пан|Пані|З_повагою|" +
	"我叫|我是|我的名字是|我的名字叫|名叫|亲爱的|尊敬的|私の名前は|名前は|제_이름은|내_이름은|저는|اسمي|أنا|السيد|السيدة|عزيزي|שמי|קוראים_לי|מר|גברת|" +
	"Με_λένε|με_λένε|Ονομάζομαι|ονομάζομαι|Αγαπητέ|Αγαπητή|Κύριε|κ.|نام_من|ชื่อ|คุณ|मेरा_नाम|श्री"

// foreignCues are the introductions by their first byte.
var foreignCues = foreignIndex()

func foreignIndex() map[byte][]string {
	index := make(map[byte][]string)
	for words := range strings.SplitSeq(foreignWords, "|") {
		words = strings.ReplaceAll(words, "_", " ")
		index[words[0]] = append(index[words[0]], words)
	}
	for _, title := range suffixes {
		index[title[0]] = append(index[title[0]], title)
	}
	return index
}

// introducedAbroad finds the name behind an introduction in another script, which starts at text[i].
func introducedAbroad(v view, i int) Finding {
	if f := honoured(v, i); f.End > 0 {
		return f
	}
	if before := v.back(i, 1); before >= 0x80 && continues(v.text, i) && spacedAt(v.text, i) {
		return Finding{}
	}
	for _, words := range foreignCues[v.text[i]] {
		if !strings.HasPrefix(v.text[i:], words) || slices.Contains(suffixes[:], words) {
			continue
		}
		from := i + len(words)
		for limit := from + 3; from < limit && (isSpace(v.next(from)) || v.next(from) == ','); {
			from++
		}
		joined := from == i+len(words)
		if joined && spacedAt(v.text, i) {
			continue
		}
		if end := scriptName(v.text, from); end > from {
			return Finding{Person, from, end}
		}
		if end := capitalised(v, from, maxNameWords); end > from && !joined {
			return Finding{Person, from, end}
		}
	}
	return Finding{}
}

// suffixes are titles that stand behind a name.
var suffixes = [...]string{"様", "さん", "님", "씨"}

// nobodys are words in front of such a title that name nobody.
var nobodys = wordSet("お客 客 皆 神 王 仏 殿 奥 お母 お父 母 父 お医者 医者 兄 姉 お姉 お兄 娘 たく 고객 선생 사용자 회원 부모 여러분 관리자 담당자 기사 작가 대표 사장 팀장 손 형 누나 어머 아버 주인 마음 글 날 솜")

// honoured finds the name in front of a title that starts at text[i], and the title.
func honoured(v view, i int) Finding {
	for _, title := range suffixes {
		if !strings.HasPrefix(v.text[i:], title) {
			continue
		}
		start, letters := i, 0
		for start > v.floor && letters < maxHonoured+1 {
			r, size := utf8.DecodeLastRuneInString(v.text[v.floor:start])
			if space := r == ' ' && start < i; !space && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
				break
			}
			start -= size
			letters++
		}
		name := strings.TrimSpace(v.text[start:i])
		if letters < 2 || letters > maxHonoured || nobodys[name] || strings.ContainsAny(name, "のはがをにと") {
			continue
		}
		return Finding{Person, i - len(strings.TrimLeft(v.text[start:i], " ")), i + len(title)}
	}
	return Finding{}
}

// maxHonoured bounds the letters of a name in front of a title.
const maxHonoured = 7

// spacedAt reports whether the letter at text[i] is of a script with spaces between words.
func spacedAt(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i:])
	return spaced(r) || unicode.Is(unicode.Hangul, r)
}

// homes are the names of accounts that are nobody's.
var homes = strings.Fields("user users runner runneradmin ubuntu root admin administrator app apps node vagrant ec2-user jovyan shared public " +
	"default circleci travis git www docker dev developer you yourname username me myuser home guest build builder ci jenkins " +
	"bin lib src share local test worker appuser nonroot coder vscode gitpod codespace debian centos fedora opc azureuser " +
	"deploy web www-data postgres mysql linuxbrew package packages docs")

// homeOwner finds whose home a path leads through: /home/x/, /Users/x/, C:\Users\x\. The word text[i:end]
// is home or Users.
func homeOwner(v view, i, end int) Finding {
	word := v.text[i:end]
	separator := v.back(i, 1)
	if separator != '/' && separator != '\\' || word != "home" && !strings.EqualFold(word, "users") || v.next(end) != separator {
		return Finding{}
	}
	if before := v.back(i, 2); word == "home" && isAlnum(before) {
		return Finding{}
	}
	start := end
	for start < end+2 && v.next(start) == separator {
		start++
	}
	stop := ownerChars.run(v.text[:min(len(v.text), start+maxNameWord)], start)
	for stop > start && v.text[stop-1] == '.' {
		stop--
	}
	owner := v.text[start:stop]
	if len(owner) < 2 || !isAlpha(owner[0]) || slices.Contains(homes, strings.ToLower(owner)) || isRoute(v, stop, owner) || word == "users" && separator == '/' {
		return Finding{}
	}
	return Finding{Person, start, stop}
}

var ownerChars = setOf(isAlnum, "._-")

// isRoute recognises a page or a function in place of a home.
func isRoute(v view, end int, owner string) bool {
	if next := v.next(end); next == '(' || next == '=' {
		return true
	}
	for _, ext := range fileTypes {
		if strings.HasSuffix(owner, "."+ext) {
			return true
		}
	}
	return false
}
