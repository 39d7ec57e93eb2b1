package app_test

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"learnloop.dev/app"
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
	cmd := exec.Command("/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.timeout=2m") //nolint:gosec // this binary
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
	used := (fs.Blocks - fs.Bfree) * uint64(fs.Bsize) //nolint:gosec // positive
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
	d := newDisk(t, 300)
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

func TestADiskThatIsFullAtTheStartIsTold(t *testing.T) {
	if !alone(t) {
		return
	}
	d := newDisk(t, 300)
	for _, free := range []uint64{0, 64 << 10, 16 << 20} {
		d.leave(t, free)
		fails(t, app.Everything, "", "data="+d.dir)
	}
	d.leave(t, 300<<20)
	a := meet(t, d.dir)
	a.publish(t, structured(event("1", fixType, fix("r"))))
	a.drained(t)
	a.reflected(t, 1)
	a.stop()
	for _, free := range []uint64{0, 64 << 10, 16 << 20} {
		d.leave(t, free)
		fails(t, app.Everything, "", "data="+d.dir)
	}
	d.leave(t, 300<<20)
	if got := meet(t, d.dir).total(t); got != 1 {
		t.Errorf("%d events count", got)
	}
}
