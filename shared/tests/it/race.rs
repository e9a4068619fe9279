//! The sprint's laws, each as a short story on a virtual clock.

mod acts;
mod finish;
mod host;
mod interruption;
mod seats;
mod start;
