import { invalid } from '../../errors.ts'
import type { RecordsContext } from '../../records/reading/records-context.ts'
import type { RecordScope } from '../../records/record-guard.ts'
import { writeCell } from '../../records/writing/write-cell.ts'
import { insertAfter } from '../insert-after.ts'
import { isUsable } from '../is-usable.ts'
import { filesIn, requireFileField, requireRoom } from './file-field.ts'
import { type FilesRecordOutput, permissionsOn } from './files-record-output.ts'

/** A file by its token, as a caller names it. */
interface NamedFile {
  readonly id?: string | undefined
  readonly name: string
  readonly token: string
}

/** Where the files go, and where they stand in what was sent. */
export interface FilePlace {
  readonly fieldId: string
  readonly anchorId?: string | undefined
  readonly path: readonly string[]
}

/**
 * Puts the files into the cell of the record, after the one that is the anchor, else at the end. Answers the record,
 * its fields by their ids, with what the caller may do with it, and its version. Throws `validation_error` for tokens that the caller can't use, and for
 * more files than a cell may hold.
 */
export async function insertFiles(
  context: RecordsContext & RecordScope,
  { fieldId, anchorId, path }: FilePlace,
  files: readonly NamedFile[],
): Promise<FilesRecordOutput & { readonly version: number }> {
  const { record, schema } = context
  const there = filesIn(record, requireFileField(schema, fieldId))
  requireRoom(there, files.length, path)
  await requireUsable(context, there, files, path)
  // An item that is there keeps its id, wherever it stands; one that has none gets one when it is written.
  const taken = new Set(there.map(({ id }) => id))
  const inserted = files.map(({ id, name, token }) =>
    id === undefined || taken.has(id) ? { name, token } : { id, name, token },
  )
  const items = insertAfter<object & { readonly id?: string }>(there, inserted, anchorId)
  const output = await writeCell(context, fieldId, items)
  return {
    ...output,
    name: output.name ?? '',
    permissions: permissionsOn(context),
    undeletable: false,
  }
}

/** Refuses tokens in the places where they were sent. */
async function requireUsable(
  { tx, base, userId, storedFiles }: RecordsContext & RecordScope,
  there: readonly NamedFile[],
  files: readonly NamedFile[],
  path: readonly string[],
): Promise<void> {
  const usable = new Set([...there.map(({ token }) => token), ...(storedFiles?.keys() ?? [])])
  const asked = files.map(({ token }) => token).filter((token) => !storedFiles?.has(token))
  for (const file of await tx.attachments.findAll(base.spaceId, asked)) {
    if (isUsable(file, userId)) usable.add(file.token)
  }
  const issues = files.flatMap(({ token }, index) =>
    usable.has(token)
      ? []
      : [
          {
            path: [...path, index, 'token'],
            message: 'must be the token of a file that was uploaded to the same space',
          },
        ],
  )
  if (issues.length > 0) throw invalid(issues)
}
