/** A weather station, as `schemas/station.schema.json` says. */
export type Station = {
  readonly id: string;
  /** In Korean. */
  readonly name: string;
  readonly name_en: string;
  readonly location: { readonly latitude: number; readonly longitude: number; readonly elevation_m: number };
  readonly status: 'online' | 'maintenance';
};

/** One reading of one station, as `schemas/observation.schema.json` says. */
export type Observation = {
  readonly id: string;
  readonly station_id: string;
  readonly observed_at: string;
  readonly temperature_c: number;
  readonly humidity_percent: number;
  readonly pressure_hpa: number;
  readonly wind: { readonly speed_mps: number; readonly direction_deg: number };
  readonly quality: 'provisional' | 'verified';
};
