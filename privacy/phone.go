package privacy

const minPhone, maxPhone = 8, 15 // digits of an international number

// phone finds international numbers: a plus and groups of digits.
func phone(v view, i int) Finding {
	if before := v.back(i, 1); isAlnum(before) || before == '+' || before == ')' || v.next(i+1)-'1' > 8 {
		return Finding{}
	}
	var number [maxPhone]byte
	n, best, dots, groups := 0, 0, 0, 0
	for p := i + 1; ; groups++ {
		end := digits.run(v.text, p)
		if n+end-p > maxPhone {
			break
		}
		n += copy(number[n:], v.text[p:end])
		if n >= minPhone && v.endsWord(end) && dialled(number[:n]) {
			best = end
		}
		next := afterPhoneSeparator(v, end)
		if next == end {
			break
		}
		if v.text[end] == '.' {
			dots++
		}
		p = next
	}
	if fraction := groups == 1 && dots == 1; best == 0 || fraction {
		return Finding{}
	}
	return Finding{Phone, i, best}
}

// afterPhoneSeparator returns where the next digits start, or end if there are none.
func afterPhoneSeparator(v view, end int) int {
	for p := end; p < end+3; p++ {
		switch b := v.next(p); {
		case isDigit(b):
			return p
		case b != ' ' && b != '-' && b != '.' && b != '(' && b != ')' && b != '/':
			return end
		}
	}
	return end
}

// dialled refuses what the numbering plan of North America cannot contain; other plans vary too much.
func dialled(number []byte) bool {
	if number[0] != '1' {
		return true
	}
	return len(number) == 11 && number[1] >= '2' && number[4] >= '2'
}
