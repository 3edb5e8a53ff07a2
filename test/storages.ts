/** The storages that the suite can run on. */
export const storageNames = ['sqlite', 'postgres'] as const
export type StorageName = (typeof storageNames)[number]

/** Whether the suite runs on the storage: `STORES=sqlite` narrows it, without it all are on. */
export function isOn(name: StorageName): boolean {
  const chosen = (process.env.STORES ?? '').split(',').filter((one) => one !== '')
  const unknown = chosen.filter((one) => !storageNames.some((known) => known === one))
  if (unknown.length > 0) {
    throw new Error(`STORES names ${unknown.join(', ')}: it takes ${storageNames.join(', ')}`)
  }
  return chosen.length === 0 || chosen.includes(name)
}
