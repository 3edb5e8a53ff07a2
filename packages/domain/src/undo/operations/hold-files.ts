import type { StoredFile } from '../../attachments/attachment-repository.ts'
import { filesLeave, requireFileRoom } from '../../billing/require-room.ts'
import { DomainError } from '../../errors.ts'
import type { UndoContext } from './undo-context.ts'

/**
 * Notes that cells of a field are to have the files again that they had, so that nobody removes these. Those that stayed in the
 * space which the base has left since come along. Returns those that belong to another space; throws conflict where one is gone,
 * payment_required where the level of the space has no room.
 */
export async function holdFiles(
  context: Pick<UndoContext, 'tx' | 'base' | 'userId' | 'now' | 'plans'>,
  { fieldName, leftIn }: { readonly fieldName: string; readonly leftIn: string | undefined },
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
  if (here.length + elsewhere.size < tokens.size) {
    throw new DomainError('conflict', `A file that "${fieldName}" had is gone by now`)
  }
  const { left = [], others = [] } = Object.groupBy([...elsewhere.values()], (file) =>
    file.spaceId === leftIn ? 'left' : 'others',
  )
  await bringAlong(context, left)
  return new Map(others.map((file) => [file.token, file]))
}

/** Has files belong to the space of the base, as those do that cells had when it moved there. */
async function bringAlong(
  context: Pick<UndoContext, 'tx' | 'base' | 'now' | 'plans'>,
  files: readonly StoredFile[],
): Promise<void> {
  const [first] = files
  if (!first) return
  const { tx, base } = context
  const bytes = files.reduce((sum, { size }) => sum + size, 0)
  await requireFileRoom(context, base.spaceId, bytes)
  await tx.attachments.moveTo(
    base.spaceId,
    files.map(({ token }) => token),
  )
  filesLeave(context, first.spaceId)
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
