import fc from 'fast-check'
import { fileOf } from '../factories/file-of.ts'
import { ref } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import { type ShownFile, textFile, tokenOfUrl } from '../worlds/place.ts'
import type { Sample, SamplesIn } from './operation-sample.ts'

interface CellArgs {
  readonly table: Ref
  readonly record: Ref
  /** One of the table's fields of attachments, counted round. */
  readonly nth: number
}

const inCell = { table: ref, record: ref, nth: fc.nat({ max: 2 }) }

function toCell({ table, record, nth }: CellArgs, { tables }: ScriptState) {
  const found = tables.find(table)
  const fields = found?.fields.there.filter(({ type }) => type === 'attachment') ?? []
  return {
    tableId: found?.id ?? 'unknown',
    recordId: found?.records.idOf(record) ?? 'unknown',
    fieldId: fields[nth % fields.length]?.id ?? 'unknown',
  }
}

export const attachmentOperations: ScriptedFeature<'attachments'> = {
  insertAttachment: scripted({
    weight: 3,
    args: fc.record({ ...inCell, files: fc.array(fc.nat({ max: 9 }), { maxLength: 3 }) }),
    toInput: ({ files, ...cell }, known) => ({
      ...toCell(cell, known),
      attachments: files.map((file) => ({
        name: `file ${file}`,
        token: known.fileTokens[file % known.fileTokens.length] ?? 'unknown',
      })),
    }),
  }),
  uploadAttachment: scripted({
    weight: 3,
    args: fc.record({
      ...inCell,
      name: fc.constantFrom('a.txt', 'b.html', '../c', ''),
      text: fc.constantFrom('', 'one', 'two', '<svg>', '\x89PNG\r\n\x1a\n'),
    }),
    toInput: ({ name, text, ...cell }, known) => ({
      ...toCell(cell, known),
      file: fileOf(name, text),
    }),
    learn: (known, { fields }: { readonly fields: object }) => {
      for (const item of Object.values(fields).flat()) {
        const { token, path, presignedUrl } = item as ShownFile
        if (token === undefined || presignedUrl === undefined) continue
        known.fileTokens.push(token)
        known.fileUrls.push({ path, token: tokenOfUrl(presignedUrl) })
      }
    },
  }),
  requestUpload: scripted({
    weight: 2,
    args: fc.record({ base: ref, contentLength: fc.constantFrom(0, 3, 4, -1) }),
    toInput: ({ base, contentLength }, known) => ({
      ...{ baseId: known.bases.idOf(base), type: 1, contentType: 'text/plain', contentLength },
    }),
    learn: (known, { token }: { readonly token: string }) => known.uploadTokens.push(token),
  }),
  uploadContent: scripted({
    weight: 3,
    args: fc.record({ nth: fc.nat({ max: 9 }), content: fc.constantFrom('', 'one', '<svg') }),
    toInput: ({ nth, content }, { uploadTokens }) => ({
      ...{ token: uploadTokens[nth % uploadTokens.length] ?? 'none', contentType: 'text/plain' },
      content,
    }),
  }),
  finishUpload: scripted({
    weight: 3,
    args: fc.record({ nth: fc.nat({ max: 9 }) }),
    toInput: ({ nth }, { uploadTokens }) => ({
      token: uploadTokens[nth % uploadTokens.length] ?? 'none',
    }),
    learn: (known, { token, path, presignedUrl }: ShownFile) => {
      known.fileTokens.push(token)
      known.fileUrls.push({ path, token: tokenOfUrl(presignedUrl) })
    },
  }),
  readAttachment: scripted({
    weight: 2,
    args: fc.record({ url: fc.nat({ max: 9 }), isForged: fc.boolean() }),
    toInput: ({ url, isForged }, { fileUrls }) => {
      const { path, token } = fileUrls[url % fileUrls.length] ?? { path: 'none', token: 'none' }
      return { path, token: isForged ? `${token}0` : token }
    },
  }),
}

export const attachmentSamples: SamplesIn<'attachments'> = (place) => {
  const { tableId, recordId, filesFieldId: fieldId, fileToken: token } = place
  const { filePath: path, fileUrlToken, baseId, openUploadToken, uploadedToken } = place
  const contentType = 'text/plain'
  const inCell = (more: object): Sample => ({ input: { tableId, recordId, fieldId, ...more } })
  return {
    insertAttachment: inCell({ attachments: [{ name: 'again.txt', token }] }),
    uploadAttachment: inCell({ file: textFile }),
    requestUpload: { input: { baseId, type: 1, contentType, contentLength: 4 } },
    uploadContent: { input: { token: openUploadToken, contentType, content: 'Emma' } },
    finishUpload: { input: { token: uploadedToken } },
    readAttachment: { input: { path, token: fileUrlToken } },
  }
}
