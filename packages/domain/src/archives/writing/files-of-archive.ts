import { exactly } from '../../attachments/files/exactly.ts'
import type { Cell } from '../../fields/cell.ts'
import { typeOf } from '../../fields/field-values.ts'
import type { AttachmentItem } from '../../fields/types/attachment.ts'
import { limits } from '../../limits.ts'
import type { StoredRecord } from '../../records/stored/stored-record.ts'
import { toBase64 } from '../../values/bytes/base64.ts'
import { byteParts } from '../../values/bytes/byte-parts.ts'
import type { ArchiveWriter } from '../format/archive-writer.ts'
import type { ArchiveSource } from './archive-source.ts'
import type { ArchivedColumn } from './archived-fields.ts'

/** Writes the files that cells name before the records that name them, each once as a rule. */
export class FilesOfArchive {
  readonly #source: ArchiveSource
  readonly #writer: ArchiveWriter
  /** The last files that were written, by token; false for those whose bytes are lost. */
  readonly #known = new Map<string, boolean>()

  /** Takes where the bytes are, and what makes the lines. */
  constructor(source: ArchiveSource, writer: ArchiveWriter) {
    this.#source = source
    this.#writer = writer
  }

  /** The lines of those files of records that aren't there yet. */
  async *linesOf(
    records: readonly StoredRecord[],
    columns: readonly ArchivedColumn[],
  ): AsyncGenerator<string> {
    for (const column of columns) {
      if (!typeOf(column.field.field).files) continue
      for (const record of records) {
        for (const item of itemsOf(column.toCell(record))) {
          if (!this.#known.has(item.token)) yield* this.#linesOfFile(item)
        }
      }
    }
  }

  /**
   * A cell of files without where their bytes are, and without those whose bytes are lost: nothing could be made of these.
   */
  toArchived(cell: Cell | null): Cell | null {
    const left = itemsOf(cell).filter(({ token }) => this.#known.get(token) !== false)
    return left.length === 0 ? null : left.map(({ path: _, ...item }) => item)
  }

  async *#linesOfFile({ token, name, path, mimetype, size }: AttachmentItem) {
    const bytes = await this.#source.blobs.read(path)
    this.#note(token, bytes !== undefined)
    if (!bytes) return
    yield this.#writer.said('file', { token, name, mimetype, size })
    const most = limits.archiveFileLineBytes
    // With part of a file the archive would look whole, and be refused by whoever imports it.
    for await (const piece of exactly(size, bytes)) {
      for (const part of byteParts(piece, most)) yield this.#writer.line(toBase64(part))
    }
  }

  #note(token: string, isThere: boolean): void {
    this.#known.set(token, isThere)
    if (this.#known.size <= limits.archiveFilesRemembered) return
    for (const [oldest, wasThere] of this.#known) {
      // Lost ones are few, and must not come back.
      if (!wasThere) continue
      this.#known.delete(oldest)
      return
    }
  }
}

function itemsOf(cell: Cell | null): readonly AttachmentItem[] {
  return (cell ?? []) as readonly AttachmentItem[]
}
