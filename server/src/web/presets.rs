//! The presets: which boards can be asked for.

use axum::Json;
use sprint_shared::api::PresetInfo;
use sprint_shared::preset::Preset;

/// All presets, easiest first.
#[utoipa::path(
    get, path = "/presets", tag = "presets",
    responses((status = 200, description = "the presets", body = Vec<PresetInfo>))
)]
pub(super) async fn list() -> Json<Vec<PresetInfo>> {
    Json(Preset::ALL.into_iter().map(info).collect())
}

fn info(preset: Preset) -> PresetInfo {
    let spec = preset.spec();
    PresetInfo {
        preset,
        spectra: spec.spectra,
        sizes: spec.sizes,
        pegs: spec.pegs,
        free: spec.free,
        optimum_min: *spec.optimum.start(),
        optimum_max: *spec.optimum.end(),
        time_limit_s: spec.time_limit_s,
    }
}
