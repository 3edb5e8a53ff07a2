/** The first millisecond of the years 1 to 9999: the moments that a Timestamp can tell. */
export const firstMs = -62_135_596_800_000

/** The last millisecond of the years 1 to 9999. */
export const lastMs = 253_402_300_799_999

/** The moment itself, or the nearest one within the years 1 to 9999. */
export function withinYears(epochMs: number): number {
  return Math.max(firstMs, Math.min(lastMs, epochMs))
}
