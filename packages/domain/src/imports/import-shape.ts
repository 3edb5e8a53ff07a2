import { z } from 'zod'
import { notYet, notYetOn } from '../input/not-yet.ts'
import { csvDelimiters, csvEncodings } from './csv-reader.ts'
import { sentContent } from './sent-content.ts'

const asBody =
  'a file of an attachment: send it as the body of the request; importing from an address'

/** How a caller hands over a file, and says how it is written. */
export const fileShape = {
  content: sentContent,
  fileType: z
    .literal('csv', 'must be csv: no other files can be read')
    .optional()
    .describe('What kind of file it is'),
  encoding: z
    .enum(csvEncodings)
    .optional()
    .describe('How the file is encoded; else as its byte order mark says, or UTF-8'),
  delimiter: z
    .enum(csvDelimiters)
    .optional()
    .describe('What separates cells; else what the first lines have most of'),
  excludeFirstRow: z
    .boolean()
    .default(true)
    .describe('Whether the first row has the names of the columns'),
  attachmentUrl: notYet(asBody),
}

/** How a caller says what is imported of it. */
export const importShape = {
  ...fileShape,
  partial: z
    .boolean()
    .default(false)
    .describe('Whether rows that come before an error of the file are imported; else none is'),
  insertConfig: notYet('insertConfig: send its members as parameters; an object of them'),
  worksheets: notYet('a file of several sheets'),
  notification: notYetOn('telling by mail of the end of an import'),
}
