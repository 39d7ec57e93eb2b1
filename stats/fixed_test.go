package stats

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/go-json-experiment/json"
	"pgregory.net/rapid"
)

// reference are values in 50-digit arithmetic; testdata/fixed.py derives them.
type reference struct {
	Welch []struct {
		A        [3]float64  `json:"a"` // size, mean, unbiased variance
		B        [3]float64  `json:"b"`
		T        float64     `json:"t"`
		DF       float64     `json:"df"`
		P        float64     `json:"p"`
		Interval [2]float64  `json:"interval"`
		Effect   float64     `json:"effect"`
		Delta    [2]float64  `json:"delta"`
		Fieller  *[2]float64 `json:"fieller"`
	} `json:"welch"`
	Rates []struct {
		X        int64      `json:"x"`
		N        int64      `json:"n"`
		Y        int64      `json:"y"`
		M        int64      `json:"m"`
		Z        float64    `json:"z"`
		P        float64    `json:"p"`
		Wald     [2]float64 `json:"wald"`
		Fisher   float64    `json:"fisher"`
		Newcombe [2]float64 `json:"newcombe"`
	} `json:"rates"`
	Ratio []struct {
		Seen    []int64  `json:"seen"`
		Weights []string `json:"weights"`
		Square  float64  `json:"square"`
		P       float64  `json:"p"`
	} `json:"ratio"`
	Loss struct {
		Samples [][2]any `json:"samples"`
		Value   float64  `json:"value"`
	} `json:"loss"`
}

func references(t *testing.T) (r reference) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "fixed.json"))
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil || len(r.Welch) == 0 || len(r.Rates) == 0 || len(r.Ratio) == 0 {
		t.Fatalf("%v, %+v", err, r)
	}
	return r
}

func momentsOf(of [3]float64) Moments { return Moments{int64(of[0]), of[1], of[2] * (of[0] - 1)} }

func sameInterval(t *testing.T, what string, got Interval, want [2]float64) {
	t.Helper()
	near(t, what+" lower", got.Lower, want[0])
	near(t, what+" upper", got.Upper, want[1])
}

func TestMeansAreComparedByTheReference(t *testing.T) {
	for _, c := range references(t).Welch {
		a, b := momentsOf(c.A), momentsOf(c.B)
		is := Welch(a, b)
		near(t, "t", is.Statistic/c.T, 1)
		near(t, "degrees of freedom", is.DF/c.DF, 1)
		near(t, "p", is.P, c.P)
		in, _ := WelchInterval(a, b, .95)
		sameInterval(t, "difference", in, c.Interval)
		r, why := RelativeEffect(a, b, .95)
		if why != Defined {
			t.Fatal(why)
		}
		near(t, "effect", r.Effect, c.Effect)
		sameInterval(t, "delta", r.Delta, c.Delta)
		if (r.Fieller == nil) != (c.Fieller == nil) {
			t.Errorf("%v %v: Fieller %v, want %v", c.A, c.B, r.Fieller, c.Fieller)
		} else if r.Fieller != nil {
			sameInterval(t, "Fieller", *r.Fieller, *c.Fieller)
		}
	}
}

func TestRatesAreComparedByTheReference(t *testing.T) {
	for _, c := range references(t).Rates {
		a, b := Share{c.X, c.N}, Share{c.Y, c.M}
		is := TwoProportions(a, b)
		near(t, "z", is.Statistic, c.Z)
		near(t, "p", is.P, c.P)
		near(t, "Fisher", Fisher(a, b).P, c.Fisher)
		wald, _ := Wald(a, b, .95)
		sameInterval(t, "Wald", wald, c.Wald)
		sameInterval(t, "Newcombe", Newcombe(a, b, .95), c.Newcombe)
	}
}

func TestProportionsAndLossAreThoseOfTheReference(t *testing.T) {
	all := references(t)
	for _, c := range all.Ratio {
		var weights []float64
		for _, w := range c.Weights {
			x, err := strconv.ParseFloat(w, 64)
			if err != nil {
				t.Fatal(err)
			}
			weights = append(weights, x)
		}
		is, leaked := SampleRatio(c.Seen, weights)
		near(t, "χ²", is.Statistic, c.Square)
		near(t, "p", is.P, c.P)
		if leaked != 0 {
			t.Errorf("%d leaked", leaked)
		}
	}
	var samples []Sample
	for _, s := range all.Loss.Samples {
		samples = append(samples, Sample{s[0].(float64), s[1].(bool)})
	}
	loss, _ := LogLoss(samples)
	near(t, "log loss", loss, all.Loss.Value)
}

// Whatever the arms are, there is an answer or a reason, and never something that is
// not a number.
func TestEveryComparisonHasAnAnswerOrAReason(t *testing.T) {
	arm := rapid.Custom(func(t *rapid.T) Moments {
		var m Moments
		for _, y := range rapid.SliceOfN(rapid.SampledFrom([]float64{0, 1, 1, -1, 1e-300, 1e11, -1e11, .1}), 0, 6).Draw(t, "outcomes") {
			m.Add(y)
		}
		return m
	})
	share := rapid.Custom(func(t *rapid.T) Share {
		n := rapid.SampledFrom([]int64{0, 1, 2, 30, 1e9}).Draw(t, "n")
		return Share{rapid.Int64Range(0, n).Draw(t, "x"), n}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := arm.Draw(t, "a"), arm.Draw(t, "b")
		sane(t, Welch(a, b))
		in, why := WelchInterval(a, b, .95)
		r, whyNot := RelativeEffect(a, b, .95)
		if (why == Defined || why == NoVariance) && !(in.Lower <= in.Upper) || whyNot == Defined && !(r.Delta.Lower <= r.Delta.Upper) {
			t.Fatalf("%v, %+v", in, r)
		}
		x, y := share.Draw(t, "x"), share.Draw(t, "y")
		sane(t, TwoProportions(x, y))
		if x.N+y.N < 1e6 {
			sane(t, Fisher(x, y))
		}
		test, _ := SampleRatio([]int64{x.N, y.N, 3}, []float64{1, rapid.Float64Range(0, 1).Draw(t, "weight"), 0})
		sane(t, test)
	})
}

func sane(t *rapid.T, is Test) {
	t.Helper()
	if !(is.P >= 0 && is.P <= 1) || math.IsNaN(is.Statistic) || math.IsNaN(is.DF) || !is.Known && is.Why == Defined {
		t.Fatalf("%+v", is)
	}
}

func TestSmallAndExtremeArmsHaveTheirReasons(t *testing.T) {
	flat := func(n int64, mean float64) Moments { return Moments{N: n, Mean: mean} }
	if is, why := RelativeEffect(Moments{N: 2, Mean: .5, M2: .5}, flat(2, 5e-301), .95); why != ZeroControl {
		t.Errorf("a control as good as 0: %+v, %v", is, why)
	}
	if is := Welch(flat(5, 1), flat(5, 1)); is.P != 1 || !is.Known || is.Why != AllAlike {
		t.Errorf("equal and without variance: %+v", is)
	}
	if is := Welch(flat(5, 2), flat(5, 1)); is.Known || is.Why != NoVariance {
		t.Errorf("different and without variance: %+v", is)
	}
	if is := Welch(flat(1, 2), flat(5, 1)); is.Known || is.Why != FewOutcomes {
		t.Errorf("one outcome: %+v", is)
	}
	if _, why := RelativeEffect(Moments{9, 1, 4}, Moments{9, 0, 4}, .95); why != ZeroControl {
		t.Errorf("a control of zero: %s", why)
	}
	if r, _ := RelativeEffect(Moments{9, 1, 40}, Moments{9, .1, 40}, .95); r.Fieller != nil {
		t.Errorf("the control cannot be told from zero: %+v", r.Fieller)
	}
	if is := TwoProportions(Share{5, 5}, Share{9, 9}); is.P != 1 || is.Why != AllAlike {
		t.Errorf("successes alone: %+v", is)
	}
	if is, leaked := SampleRatio([]int64{5, 5, 2}, []float64{1, 1, 0}); leaked != 2 || is.P != 1 {
		t.Errorf("%d leaked: %+v", leaked, is)
	}
}
