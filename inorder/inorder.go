// Package inorder sorts lists of any type with one piece of code.
package inorder

import (
	"cmp"
	"iter"
	"slices"
)

// Sort puts a list in the order of compare; what it calls equal stays as it came.
//
// Only places are sorted, so that Go makes one sort and not one for each type:
// slices.SortFunc costs the program some 15 KB a type (ADR 0066).
func Sort[T any](list []T, compare func(a, b T) int) {
	if len(list) < 2 {
		return
	}
	places := sorted(len(list), func(i, j int) int { return compare(list[i], list[j]) })
	from := slices.Clone(list)
	for i, place := range places {
		list[i] = from[place]
	}
}

// Sorted collects what comes and sorts it.
func Sorted[T any](all iter.Seq[T], compare func(a, b T) int) []T {
	list := slices.Collect(all)
	Sort(list, compare)
	return list
}

// sorted returns the places from 0 to n, in the order of what lies there.
func sorted(n int, compare func(i, j int) int) []int {
	places := make([]int, n)
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(i, j int) int { return cmp.Or(compare(i, j), i-j) })
	return places
}
