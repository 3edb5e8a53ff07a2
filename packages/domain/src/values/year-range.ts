/** The first millisecond of the years 1 to 9999: the moments that a Timestamp can tell. */
export const firstMs = -62_135_596_800_000

/** The last one. */
export const lastMs = 253_402_300_799_999

/** The nearest moment of these years. */
export function withinYears(epochMs: number): number {
  return Math.max(firstMs, Math.min(lastMs, epochMs))
}
