import { z } from 'zod'
import { idSchema } from '../../ids.ts'
import { readingShape } from '../input/record-input.ts'
import { pickShape, queryShape, sortShape } from '../query/query-shape.ts'
import { listPageShape } from './list-page-shape.ts'

/** How a page of the records of a table is asked for. */
export const listInput = z.object({
  tableId: idSchema,
  ...readingShape,
  ...listPageShape,
  ...queryShape,
  ...pickShape,
  ...sortShape,
})
