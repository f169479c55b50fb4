//! Standard input and output of this process, without the buffering and line-ending translation of the
//! standard library.

use std::fs::File;
use std::io;

/// Pipe capacity in bytes: large enough for the diagnostics of a whole file, so that we need not wait while
/// the client reads them piece by piece. Linux allows this size to unprivileged processes.
#[cfg(target_os = "linux")]
const PIPE_SIZE: usize = 1 << 20;

/// Opens standard input.
#[cfg(unix)]
pub(crate) fn input() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Opens standard output; the capacity of a pipe is increased.
#[cfg(unix)]
pub(crate) fn output() -> io::Result<File> {
    use std::os::fd::AsFd;
    let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::pipe::fcntl_setpipe_size(&output, PIPE_SIZE) {
        // Not a pipe, or the user's pipe quota is exhausted.
        tracing::debug!("cannot increase the pipe capacity: {error}");
    }
    Ok(output)
}

/// Opens standard input.
#[cfg(windows)]
pub(crate) fn input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}

/// Opens standard output.
#[cfg(windows)]
pub(crate) fn output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}
