import type { FileSource } from '@gateleg/domain/attachments/file-source'
import { type FeatureRoutes, post } from '../operation.ts'

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
      'Stores a file and puts it at the end of a cell. Its type is found by its content, and the size of an image is measured. Answers the record, its fields by their ids.',
    example: {
      tableId: '{tableId}',
      recordId: '{recordId}',
      fieldId: '{filesFieldId}',
      file: exampleFile,
    },
  },
}
