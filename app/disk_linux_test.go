package app_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"learnloop.dev/app"
	"learnloop.dev/store"

	"go.uber.org/zap"
)

// aloneVar tells the test binary that it runs in namespaces of its own.
const aloneVar = "LEARNLOOP_TEST_ALONE"

// alone runs the test again in a process that may mount file systems of its
// own, and reports whether this is that process.
func alone(t *testing.T) bool {
	t.Helper()
	if os.Getenv(aloneVar) != "" {
		return true
	}
	cmd := exec.Command("/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.timeout=2m")
	cmd.Env = append(os.Environ(), aloneVar+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Skipf("no namespaces here: %v", err)
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return false
}

// disk is a file system in memory that goes with the test.
type disk struct{ dir string }

func newDisk(t *testing.T, mb int) disk {
	t.Helper()
	d := disk{t.TempDir()}
	if err := syscall.Mount("none", d.dir, "tmpfs", 0, fmt.Sprintf("size=%dm", mb)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(d.dir, syscall.MNT_DETACH) })
	return d
}

// leave makes the disk as large as what it holds and so many bytes.
func (d disk) leave(t *testing.T, free uint64) {
	t.Helper()
	var fs syscall.Statfs_t
	if err := syscall.Statfs(d.dir, &fs); err != nil {
		t.Fatal(err)
	}
	used := (fs.Blocks - fs.Bfree) * uint64(fs.Bsize)
	d.remount(t, 0, fmt.Sprintf("size=%d", used+free))
}

func (d disk) remount(t *testing.T, flags uintptr, options string) {
	t.Helper()
	if err := syscall.Mount("none", d.dir, "tmpfs", syscall.MS_REMOUNT|flags, options); err != nil {
		t.Fatal(err)
	}
}

func TestADataFolderThatIsReadOnlyIsTold(t *testing.T) {
	if !alone(t) {
		return
	}
	d := newDisk(t, 4096)
	d.remount(t, syscall.MS_RDONLY, "")
	fails(t, app.Everything, "read-only", "data="+d.dir)
	fails(t, app.Everything, "read-only", "data="+d.dir+"/new")
	d.remount(t, 0, "")
	a := meet(t, d.dir)
	a.publish(t, structured(event("1", fixType, fix("r"))))
	a.drained(t)
	a.reflected(t, 1)
	a.stop()
	d.remount(t, syscall.MS_RDONLY, "")
	fails(t, app.Everything, "read-only", "data="+d.dir)
	d.remount(t, 0, "")
	if got := meet(t, d.dir).total(t); got != 1 {
		t.Errorf("%d events count", got)
	}
}

func TestADiskThatIsFullIsToldAndNothingAcknowledgedIsLost(t *testing.T) {
	if !alone(t) {
		return
	}
	d := newDisk(t, 4096)
	d.leave(t, 16<<20) // of a folder that is new
	fails(t, app.Everything, "insufficient storage", "data="+d.dir)
	d.leave(t, 4<<30)
	acked := d.fillWhileRunning(t)
	for _, free := range []uint64{0, 64 << 10, 16 << 20} { // of one that was in use
		d.leave(t, free)
		fails(t, app.Everything, "", "data="+d.dir)
	}
	d.leave(t, 4<<30)
	a := meet(t, d.dir)
	a.reflected(t, acked)
	if got := a.total(t); got < acked || acked < 1 {
		t.Errorf("%d events count, %d were acknowledged", got, acked)
	}
}

// fillWhileRunning takes the space away under a loop between two events and
// returns how many of them were acknowledged.
func (d disk) fillWhileRunning(t *testing.T) (acked int) {
	t.Helper()
	loop, ended := launch(t.Context(), t, zap.NewNop(), []string{"data=" + d.dir})
	for _, id := range []string{"1", "2"} {
		body := strings.NewReader(event(id, fixType, fix("r")))
		client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		answer, err := client.Post(loop.Addresses().HTTP+"/v1/events", "application/cloudevents+json", body)
		if err == nil {
			_ = answer.Body.Close()
		}
		if err == nil && answer.StatusCode == http.StatusAccepted {
			acked++
		}
		d.leave(t, 32<<20)
	}
	select {
	case err := <-ended:
		if !errors.Is(err, store.ErrDiskFull) || app.HintOf(err) == "" {
			t.Errorf("ended with %v, hint: %s", err, app.HintOf(err))
		}
	case <-time.After(patience):
		t.Error("the loop goes on")
	}
	if err := loop.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
	return acked
}
