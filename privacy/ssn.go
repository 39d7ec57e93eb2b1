package privacy

// ssn finds social security numbers of the United States, ddd-dd-dddd.
func ssn(v view, i int) Finding {
	const length = len("ddd-dd-dddd")
	end := i + length
	if end > len(v.text) || !startsNumber(v, i) || !endsNumber(v, end) {
		return Finding{}
	}
	s := v.text[i:end]
	if digits.run(s, 4) != 6 || s[6] != '-' || digits.run(s, 7) != length {
		return Finding{}
	}
	if area := s[:3]; area == "000" || area == "666" || area[0] == '9' || s[4:6] == "00" || s[7:] == "0000" {
		return Finding{}
	}
	return Finding{SSN, i, end}
}
