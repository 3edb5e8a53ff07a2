import { invalidAt } from '../../errors.ts'
import type { IdKind } from '../../ids/id-prefixes.ts'
import type { Ids } from '../../ids.ts'

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

/** Characters with which the id of an entry begins that it has in the archive: its prefix, and half of what follows. */
const lengthKept = 11

/** The id that an entry of a trash gets here. Those of one moment are listed by their ids, and stay in that order. */
export function entryIdHere(idHere: IdHere, archivedId: string): string {
  const id = idHere('operation', archivedId)
  return `${archivedId.slice(0, lengthKept)}${id.slice(lengthKept)}`
}
