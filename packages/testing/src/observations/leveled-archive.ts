import { toCanonicalJson } from '@gateleg/domain/bases/canonical-form'

/** Ids of what gets one of its own in a base that is made of an archive. */
const ids = /(bse|bno|bnf|tbl|fld|viw|dsh|wfl|wtr|opr)[0-9a-zA-Z]{16}/g

/**
 * The text of an archive with each id as the place at which it stands there first, and without what tells files of one space
 * from those of another: of two bases that are equal but for their ids it is the same.
 */
export function toLeveledArchive(archive: string): string {
  const places = new Map<string, string>()
  const withoutEnd = archive.split('\n').slice(0, -2).join('\n')
  const leveled = withoutEnd.replace(/"token":"[^"]*"/g, '"token":""').replace(ids, (id) => {
    const place = places.get(id) ?? `${id.slice(0, 3)}#${places.size}`
    places.set(id, place)
    return place
  })
  // Members that are named by ids stand in another order.
  const lines = leveled.split('\n').map((line) => toCanonicalJson(JSON.parse(line)))
  return lines.join('\n')
}
