import { expect, test } from 'vitest'
import { madeWhenAsked } from './made-when-asked.ts'

test('members are made once for each object, when they are asked for', () => {
  const made: string[] = []
  const member = (name: string) => (parts: { readonly of: number }) => {
    made.push(`${name} of ${parts.of}`)
    return { name, of: parts.of }
  }
  const Pair = madeWhenAsked<{ readonly of: number }>()({
    first: member('first'),
    second: member('second'),
  })
  const [one, two] = [new Pair({ of: 1 }), new Pair({ of: 2 })]
  expect(made).toEqual([])
  expect(one.second).toBe(one.second)
  expect(two.second).toEqual({ name: 'second', of: 2 })
  expect(Object.create(one).second).toBe(one.second)
  expect(made).toEqual(['second of 1', 'second of 2'])
})
