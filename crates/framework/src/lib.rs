//! The shell-operator calling convention and the sync driver.
