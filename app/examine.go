package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"learnloop.dev/bus"
	"learnloop.dev/privacy"
)

// Verdict is how something looks that was examined.
type Verdict string

// The verdicts.
const (
	Fine       Verdict = "fine"
	Worrying   Verdict = "warning"
	Faulty     Verdict = "fault"
	NotChecked Verdict = "not checked"
)

// Finding is what was found about one thing, and what to do about it.
type Finding struct {
	About   string  `json:"about"`
	Verdict Verdict `json:"verdict"`
	Found   string  `json:"found"`
	Do      string  `json:"do,omitzero"`
}

func fine(about, found string) Finding { return Finding{About: about, Verdict: Fine, Found: found} }

func faulty(about string, err error, do string) Finding {
	return Finding{About: about, Verdict: Faulty, Found: err.Error(), Do: do}
}

// What a folder's findings are about.
const (
	aboutFolder = "data folder"
	aboutMaster = "master key"
	aboutKeys   = "other keys"
	aboutDisk   = "disk"
)

// ExamineFolder looks at a data folder from outside: it changes nothing, and a loop
// may be using it.
func ExamineFolder(dir string) []Finding {
	folder, there := examineDir(dir)
	if !there {
		return []Finding{folder}
	}
	return []Finding{folder, examineMaster(dir), examineSecrets(dir), examineDisk(dir)}
}

// examineDir reports whether there is a folder to look at.
func examineDir(dir string) (f Finding, there bool) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Finding{aboutFolder, Worrying, "there is none at " + dir, "start a loop with: learnloop serve, or say where its folder is with --data"}, false
	case err != nil:
		return faulty(aboutFolder, err, "make "+dir+" readable for this user, or point --data elsewhere"), false
	case !info.IsDir():
		return faulty(aboutFolder, fmt.Errorf("%s is no folder", dir), "move it away, or point --data elsewhere"), false
	}
	probe, err := os.CreateTemp(dir, "doctor.*")
	if err != nil {
		return faulty(aboutFolder, err, "make "+dir+" writable for this user, or point --data elsewhere"), true
	}
	err = errors.Join(probe.Close(), os.Remove(probe.Name()))
	if err != nil {
		return faulty(aboutFolder, err, ""), true
	}
	return fine(aboutFolder, dir+" is there and can be written"), true
}

// examineMaster looks whether the key that the rest is encrypted with can be read.
func examineMaster(dir string) Finding {
	path := filepath.Join(dir, masterFile)
	switch {
	case exists(path):
	case bus.HasStreams(filepath.Join(dir, natsDir)):
		return faulty(aboutMaster, fmt.Errorf("%s is missing, and the log beside it is encrypted", path), masterHint)
	default:
		return fine(aboutMaster, "there is none yet: the first start of a loop makes it")
	}
	if err := checkSecret(path); err != nil {
		return faulty(aboutMaster, err, HintOf(err))
	}
	master, err := openKey(path, masterHint)
	if err == nil {
		_, err = privacy.NewKeys(master)
	}
	if err != nil {
		return faulty(aboutMaster, err, masterHint)
	}
	return fine(aboutMaster, path+" is whole, and nobody else can read it; a copy belongs elsewhere")
}

// examineSecrets looks whether the other keys are read by nobody else, and whether the
// operator's credential is one.
func examineSecrets(dir string) Finding {
	for _, name := range []string{labelsFile, stateFile, adminFile, tokenFile} {
		path := filepath.Join(dir, name)
		if !exists(path) {
			continue
		}
		if err := checkSecret(path); err != nil {
			return faulty(aboutKeys, err, HintOf(err))
		}
	}
	path := filepath.Join(dir, adminFile)
	if !exists(path) {
		return fine(aboutKeys, "those that are there can be read by nobody else")
	}
	if _, err := openAdmin(dir); err != nil {
		return faulty(aboutKeys, err, HintOf(err))
	}
	return fine(aboutKeys, "whole, and nobody else can read them")
}

// How much room a log wants: with less than the first it soon takes nothing in, with
// less than the second somebody should look.
const (
	noRoom     = 256 << 20 // bytes
	littleRoom = 2 << 30
)

func examineDisk(dir string) Finding {
	free, err := freeBytes(dir)
	if err != nil {
		return Finding{aboutDisk, NotChecked, err.Error(), ""}
	}
	found := fmt.Sprintf("%d MiB are free", free>>20)
	const do = "free some space: a full disk takes nothing in, and loses nothing that was acknowledged"
	switch {
	case free < noRoom:
		return Finding{aboutDisk, Faulty, found, do}
	case free < littleRoom:
		return Finding{aboutDisk, Worrying, found, do}
	}
	return fine(aboutDisk, found)
}
