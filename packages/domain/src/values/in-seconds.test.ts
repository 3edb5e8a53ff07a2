import { expect, test } from 'vitest'
import { inSeconds } from './in-seconds.ts'

test('says one second in the singular', () => {
  expect([1, 2, 60].map(inSeconds)).toEqual(['1 second', '2 seconds', '60 seconds'])
})
