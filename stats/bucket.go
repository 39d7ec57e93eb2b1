package stats

// Bucket is the place of a unit on [0, 1) under a salt: 53 bits of a hash that
// is the same wherever it is computed. Different salts give independent places.
func Bucket(salt, unit string) float64 {
	const steps = 1 << 53
	return float64(fmix64(fnv1a64(salt, unit))>>11) / steps
}

// fnv1a64 hashes the salt, a zero byte and the unit (Fowler, Noll and Vo).
func fnv1a64(salt, unit string) uint64 {
	const (
		offset = 0xcbf29ce484222325
		prime  = 0x100000001b3
	)
	h := uint64(offset)
	for i := range len(salt) {
		h = (h ^ uint64(salt[i])) * prime
	}
	h *= prime // the zero byte
	for i := range len(unit) {
		h = (h ^ uint64(unit[i])) * prime
	}
	return h
}

// fmix64 is the finaliser of MurmurHash3. Without it the low bits of FNV-1a are
// linear in those of the text, and two experiments come out correlated.
func fmix64(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}
