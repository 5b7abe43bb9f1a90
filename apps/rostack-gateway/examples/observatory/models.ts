import { z } from 'zod';

/** A weather station of the sample observatory. */
export const stationModel = z.strictObject({
  id: z
    .string()
    .regex(/^[a-z-]+$/)
    .describe('Stable identifier.'),
  name: z.string().min(1).describe('Name in Korean.'),
  name_en: z.string().min(1).describe('Name in English.'),
  location: z.strictObject({
    latitude: z.number().min(-90).max(90).describe('Degrees north.'),
    longitude: z.number().min(-180).max(180).describe('Degrees east.'),
    elevation_m: z.number().describe('Metres above the sea.'),
  }),
  status: z.enum(['online', 'maintenance']).describe('Whether the station sends observations.'),
});

/** One reading of one station. */
export const observationModel = z.strictObject({
  id: z.string().describe('Station and time of observation.'),
  station_id: z.string(),
  observed_at: z.iso.datetime().describe('Time of the reading, UTC.'),
  temperature_c: z.number().describe('Air temperature, degrees Celsius.'),
  humidity_percent: z.number().min(0).max(100).describe('Relative humidity, percent.'),
  pressure_hpa: z.number().describe('Air pressure at the station, hectopascal.'),
  wind: z.strictObject({
    speed_mps: z.number().min(0).describe('Metres per second.'),
    direction_deg: z.int().min(0).max(359).describe('Where the wind comes from, degrees from north.'),
  }),
  quality: z.enum(['provisional', 'verified']).describe('Readings are verified about half a minute later.'),
});

export type Station = z.infer<typeof stationModel>;
export type Observation = z.infer<typeof observationModel>;
