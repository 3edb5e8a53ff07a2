import type { StoredFile } from '../../attachments/attachment-repository.ts'
import { DomainError } from '../../errors.ts'
import type { UndoContext } from './undo-context.ts'

/**
 * Notes that cells of a field are to have the files again that they had, so that nobody removes these. Returns those of them that
 * belong to another space by now; throws conflict where one is gone.
 */
export async function holdFiles(
  context: Pick<UndoContext, 'tx' | 'base' | 'userId' | 'now'>,
  fieldName: string,
  tokens: ReadonlySet<string>,
): Promise<ReadonlyMap<string, StoredFile>> {
  if (tokens.size === 0) return new Map()
  const { tx, base, userId, now: time } = context
  const place = { spaceId: base.spaceId, tokens: [...tokens] }
  await tx.attachments.attach({ ...place, userId, time })
  const here = await tx.attachments.findAll(place.spaceId, place.tokens)
  if (here.length === tokens.size) return new Map()
  const elsewhere = await holdFilesElsewhere(
    context,
    tokens.difference(new Set(here.map(({ token }) => token))),
  )
  if (here.length + elsewhere.size === tokens.size) return elsewhere
  throw new DomainError('conflict', `A file that "${fieldName}" had is gone by now`)
}

/**
 * Those of files which the space of the base lacks that belong to another space by now: this base was moved since cells had them,
 * or another one that names them was. Cells that are to have them again are noted, so that nobody removes these; those that are gone are left out.
 */
async function holdFilesElsewhere(
  { tx, userId, now: time }: Pick<UndoContext, 'tx' | 'userId' | 'now'>,
  tokens: ReadonlySet<string>,
): Promise<ReadonlyMap<string, StoredFile>> {
  const elsewhere = new Map<string, StoredFile>()
  for (const token of tokens) {
    const { spaceId } = (await tx.attachments.find(token)) ?? {}
    if (spaceId === undefined) continue
    await tx.attachments.attach({ spaceId, tokens: [token], userId, time })
    // It may have been removed until then.
    const held = await tx.attachments.find(token)
    if (held) elsewhere.set(token, held)
    await tx.giveWay()
  }
  return elsewhere
}
