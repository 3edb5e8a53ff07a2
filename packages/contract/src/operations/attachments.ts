import type { FileSource } from '@gateleg/domain/attachments/files/file-source'
import { type FeatureRoutes, get, post, put } from '../operation.ts'

/** Stands for the bytes of a file in the documentation. */
const exampleFile: FileSource & { readonly toJSON: () => string } = {
  name: 'emma.txt',
  async *stream() {},
  toJSON: () => '(the bytes of emma.txt)',
}

export const attachmentRoutes: FeatureRoutes<'attachments'> = {
  insertAttachment: {
    ...post('/table/{tableId}/record/{recordId}/{fieldId}/insertAttachment'),
    isVersioned: true,
    purpose:
      'Inserts files that are already stored into a cell, in the given order, after the file that is named as the anchor, or at the end where there is none. Returns the record, with its fields by their ids.',
    example: {
      tableId: '{tableId}',
      recordId: '{recordId}',
      fieldId: '{filesFieldId}',
      attachments: [{ name: 'emma-again.txt', token: '{fileToken}' }],
      anchorId: '{fileId}',
    },
  },
  uploadAttachment: {
    ...post('/table/{tableId}/record/{recordId}/{fieldId}/uploadAttachment', 201, {
      body: 'multipart',
    }),
    isVersioned: true,
    purpose:
      'Stores a file, which is sent or fetched from a URL, and adds it at the end of a cell. The type of the file is found from its content, and the size of an image is measured. Returns the record, with its fields by their ids.',
    example: {
      tableId: '{tableId}',
      recordId: '{recordId}',
      fieldId: '{filesFieldId}',
      file: exampleFile,
    },
  },
  requestUpload: {
    ...post('/attachments/signature'),
    purpose:
      'Begins the upload of a file of the given type and size: returns a token, and a URL to which the caller sends the bytes, once. After that, `finishUpload` returns the item for a cell.',
    example: {
      baseId: '{baseId}',
      type: 1,
      contentType: 'text/plain',
      contentLength: 4,
    },
  },
  uploadContent: {
    ...put('/attachments/upload/{token}', 201, {
      fileMember: 'content',
      takesAnyFile: true,
      alsoBy: 'POST',
    }),
    purpose:
      'Stores the bytes of a file under its upload token. Their number and the `Content-Type` must be those that were given when the upload began. `POST` does the same.',
    example: { token: '{openUploadToken}', contentType: 'text/plain', content: 'Emma' },
  },
  finishUpload: {
    ...post('/attachments/notify/{token}', 201, { isInQuery: true }),
    purpose:
      'Ends an upload: returns what was stored under the token. With an id and a name it is an item for a cell, in `insertAttachment` and wherever records are written. Until a cell has it, only its uploader can use it.',
    example: { token: '{uploadedToken}', filename: 'emma.txt' },
  },
  readAttachment: {
    ...get('/attachments/read/{path}', { answersFile: true }),
    purpose:
      'Returns the bytes of a file, or the part that `Range` asks for, at the URL that its item has as `presignedUrl`. The URL works for a limited time, as long as the person who got it may read the record and the cell has the file.',
    example: { path: '{filePath}', token: '{fileUrlToken}' },
  },
}
