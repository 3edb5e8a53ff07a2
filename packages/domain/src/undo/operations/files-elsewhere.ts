import type { StoredFile } from '../../attachments/attachment-repository.ts'
import type { UndoContext } from './undo-context.ts'

/**
 * Those of the files that belong to another space by now: this base was moved since cells had them, or another one that names
 * them was. Cells that are to have them again are noted, so that nobody removes these; those that are gone are left out.
 */
export async function holdFilesElsewhere(
  { tx, base, userId, now: time }: Pick<UndoContext, 'tx' | 'base' | 'userId' | 'now'>,
  tokens: readonly string[],
): Promise<ReadonlyMap<string, StoredFile>> {
  const elsewhere = new Map<string, StoredFile>()
  if (tokens.length === 0) return elsewhere
  const here = await tx.attachments.findAll(base.spaceId, tokens)
  for (const token of new Set(tokens).difference(new Set(here.map((file) => file.token)))) {
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
