//! Deals.
/// The version of the deal.
pub const DEAL_VERSION: u16 = 1;
