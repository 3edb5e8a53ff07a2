/**
 * What is kept as JSON, with the id of its copy in the place of each original's, wherever that stands: in the names of members,
 * and within longer texts, too.
 */
export function renameAll<Kept>(
  kept: Kept,
  idByOriginal: Pick<ReadonlyMap<string, string>, 'get'>,
): Kept {
  const renamedText = (text: string) => text.replace(idPattern, (id) => idByOriginal.get(id) ?? id)
  // Not in the JSON as one text: there a line break is `\n`, which looks like the first letter of a longer word.
  const renamed = (value: unknown): unknown => {
    if (typeof value === 'string') return renamedText(value)
    if (Array.isArray(value)) return value.map(renamed)
    if (typeof value !== 'object' || value === null) return value
    const members = Object.entries(value)
    return Object.fromEntries(members.map(([name, one]) => [renamedText(name), renamed(one)]))
  }
  return renamed(kept) as Kept
}

/** Ids that stand by themselves, or before an underscore as in the name of a statistic of a field. */
const idPattern = /(?<![0-9a-zA-Z])[a-z]{3}[0-9a-zA-Z]{16}(?![0-9a-zA-Z])/g
