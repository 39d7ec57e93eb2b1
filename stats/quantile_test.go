package stats

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

func TestTheFormulaForOneSidedBetasAgreesWithTheSearch(t *testing.T) {
	for _, shape := range [][2]float64{{1, 1}, {1, 2}, {2, 1}, {1, 40}, {40, 1}, {1, 5000}, {5000, 1}} {
		for _, tail := range []float64{1e-4, 0.025, 0.3, 0.5} {
			got, want := betaQuantile(shape[0], shape[1], tail), mathext.InvRegIncBeta(shape[0], shape[1], tail)
			if math.Abs(got-want) > 1e-11 {
				t.Errorf("Beta(%g, %g) below %g: %.15f, want %.15f", shape[0], shape[1], tail, got, want)
			}
		}
	}
}
