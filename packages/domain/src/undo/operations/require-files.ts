import { DomainError } from '../../errors.ts'
import type { Cell } from '../../fields/cell.ts'
import { typeOf } from '../../fields/field-values.ts'
import type { KeptDefinition } from '../../fields/operations/conversion/way-back/kept-definition.ts'
import type { UndoContext } from './undo-context.ts'

/**
 * Notes that cells have the files again that they had before their field became another one, so that nobody removes these.
 * Throws where one of them is gone by now.
 */
export async function requireFiles(
  { tx, base, userId, now }: UndoContext,
  { type, isLookup, name }: KeptDefinition,
  cells: readonly (readonly [string, Cell])[],
): Promise<void> {
  const { files } = typeOf({ type })
  if (!files || isLookup) return
  const tokens = [...new Set(cells.flatMap(([, cell]) => files.tokens(cell)))]
  if (tokens.length === 0) return
  const { spaceId } = base
  await tx.attachments.attach({ spaceId, tokens, userId, time: now })
  const found = await tx.attachments.findAll(spaceId, tokens)
  if (found.length === tokens.length) return
  throw new DomainError('conflict', `A file that "${name}" had is gone by now`)
}
