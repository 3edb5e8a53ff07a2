import type { FileSource } from '@gateleg/domain/attachments/file-source'
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
      'Puts files that are stored into a cell, all of them in their order, after the one that is the anchor; at the end when there is no such file. Answers the record, its fields by their ids.',
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
      'Stores a file, one that is sent or one that is fetched from a URL, and puts it at the end of a cell. Its type is found by its content, and the size of an image is measured. Answers the record, its fields by their ids.',
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
      'Gives out a token for a file that is to be uploaded by itself, of the type and size that are said. Its bytes go to the URL, once, by who asked for it; `finishUpload` then answers the item for a cell.',
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
      'Stores the bytes of a file under its token: as many as were said, with the `Content-Type` that was said. `POST` does the same.',
    example: { token: '{openUploadToken}', contentType: 'text/plain', content: 'Emma' },
  },
  finishUpload: {
    ...post('/attachments/notify/{token}', 201, { isInQuery: true }),
    purpose:
      'Answers what was stored under a token: with an id and a name of its own it is the item of a cell, for `insertAttachment` and wherever records are written. Until a cell has it, it is its uploader’s alone.',
    example: { token: '{uploadedToken}', filename: 'emma.txt' },
  },
  readAttachment: {
    ...get('/attachments/read/{path}', { answersFile: true }),
    purpose:
      'Answers the bytes of a file, or the part that `Range` asks for, by the URL that its item shows as `presignedUrl`. The URL is good for a time, and for as long as who was shown it may read the record and the cell has the file.',
    example: { path: '{filePath}', token: '{fileUrlToken}' },
  },
}
