//! This process's own input and output, without the buffers and line ends of the standard library's.

use std::fs::File;
use std::io;

/// Room for a whole file's diagnostics, so that the client need not read them piece by piece while we wait: Linux gives
/// everybody as much.
#[cfg(target_os = "linux")]
const PIPE_SIZE: usize = 1 << 20;

/// Standard input.
#[cfg(unix)]
pub(crate) fn input() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Standard output; a pipe is made wide.
#[cfg(unix)]
pub(crate) fn output() -> io::Result<File> {
    use std::os::fd::AsFd;
    let output = File::from(io::stdout().as_fd().try_clone_to_owned()?);
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::pipe::fcntl_setpipe_size(&output, PIPE_SIZE) {
        // It is none, or the user has many already.
        tracing::debug!("the output stays as wide as it is: {error}");
    }
    Ok(output)
}

/// Standard input.
#[cfg(windows)]
pub(crate) fn input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdin().as_handle().try_clone_to_owned()?))
}

/// Standard output.
#[cfg(windows)]
pub(crate) fn output() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}
