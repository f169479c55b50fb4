//! Speed, as ratios against something else on the same machine.
