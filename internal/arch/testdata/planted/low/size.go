package low // breaks: budgets

type wide interface { // breaks: budgets
	One()
	Two()
	Three()
}

type narrow interface {
	One()
	Two()
}

func long() int { // breaks: budgets
	a := 1
	b := 2
	c := 3
	d := 4
	return a + b + c + d
}

func short() int {
	a := 1
	b := 2
	c := 3
	return a + b + c
}

func many(a, b int, c string) {} // breaks: budgets

func few(a, b int) {}
