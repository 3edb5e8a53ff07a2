/** The settings with what is set of them now: what is left out or undefined stays, null takes a setting away. */
export function mergeSettings<Settings extends object>(
  settings: Settings,
  changes: { readonly [Member in keyof Settings]?: Settings[Member] | null },
): Settings {
  const set = Object.entries(changes).filter(([, value]) => value !== undefined)
  const merged = Object.entries({ ...settings, ...Object.fromEntries(set) })
  return Object.fromEntries(
    merged.filter(([, value]) => value !== null && value !== undefined),
  ) as Settings
}
