//! Signals that ask the program to end: Ctrl-C, a request to terminate, and the end of the terminal.
//!
//! Invariant: a handler only sets the request to stop; the program prints what is known and exits by itself.

use tempora_evidence::Cancellation;

/// Makes the request when a signal arrives. Without handlers, the signals kill the program at once.
#[cfg(unix)]
pub(crate) fn stop_on_signals(cancellation: &Cancellation) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::flag;
    use tempora_evidence::StopCause;

    let causes =
        [(SIGINT, StopCause::Interrupted), (SIGTERM, StopCause::Terminated), (SIGHUP, StopCause::HungUp)];
    for (signal, cause) in causes {
        // Actions run in the order of their registration, and a reader of the flag needs the cause. The system does
        // not refuse handlers for these signals; if it did, the signal would end the program as before.
        let _ = flag::register_usize(signal, cancellation.cause_cell(), cause.number());
        let _ = flag::register(signal, cancellation.flag());
    }
}

/// Makes the request when the console sends Ctrl-C.
#[cfg(not(unix))]
pub(crate) fn stop_on_signals(cancellation: &Cancellation) {
    let cancellation = cancellation.clone();
    let _ = ctrlc::set_handler(move || cancellation.stop(tempora_evidence::StopCause::Interrupted));
}
