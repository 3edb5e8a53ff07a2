import type { FileSource } from '@gateleg/domain/attachments/file-source'
import { type FeatureRoutes, get, post } from '../operation.ts'

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
  readAttachment: {
    ...get('/attachments/read/{path}', { answersFile: true }),
    purpose:
      'Answers the bytes of a file, or the part that `Range` asks for, by the URL that its item shows as `presignedUrl`. The URL is good for a time, and for as long as who was shown it may read the record and the cell has the file.',
    example: { path: '{filePath}', token: '{fileUrlToken}' },
  },
}
