import { invalidAt } from '../errors.ts'
import type { IdKind, Ids } from '../ids.ts'

/** The id that a thing of an archive gets here, by the one that it has there, where that is said. */
export type IdHere = (kind: IdKind, archivedId: string | undefined) => string

/** Every thing gets an id of its own. */
export function ownIds(ids: Pick<Ids, 'next'>): IdHere {
  return (kind) => ids.next(kind)
}

/** Every thing keeps its id. Throws validation_error where the archive, which is of version 1, doesn't say it. */
export const keptIds: IdHere = (kind, archivedId) => {
  if (archivedId !== undefined) return archivedId
  const message = `the archive doesn't say the id of each ${kind}, as those of version 2 do`
  throw invalidAt(['content'], message)
}
