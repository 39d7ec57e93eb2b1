package experiments

import (
	"maps"

	"learnloop.dev/learn"
)

// The questions the model answers, one part per partition.
const (
	AskBlocks = "blocks" // nothing → map[string]Block
)

func answers() map[string]learn.Answer {
	return map[string]learn.Answer{AskBlocks: answerBlocks, AskCourse: answerCourse}
}

// answerBlocks tells of every experiment that has a context.
func answerBlocks(q learn.Question) (any, error) {
	blocks := map[string]Block{}
	for name := range learn.Scan[int64](q.Rows, allKey(), "") {
		in, known := know(q.Rows, Key(name))
		if !known {
			continue
		}
		if c, told := render(Key(name), []Insight{in}); told {
			blocks[name] = BlockOf(*c.(*Context))
		}
	}
	return blocks, nil
}

// MergeBlocks joins the parts of the partitions: each experiment is in one.
func MergeBlocks(parts ...map[string]Block) map[string]Block {
	all := map[string]Block{}
	for _, part := range parts {
		maps.Copy(all, part)
	}
	return all
}
