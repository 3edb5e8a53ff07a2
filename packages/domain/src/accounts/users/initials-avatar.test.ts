import fc from 'fast-check'
import { expect, test } from 'vitest'
import { initialsAvatar } from './initials-avatar.ts'

const svgOf = (name: string) =>
  decodeURIComponent(initialsAvatar({ id: 'usr1', name }).replace('data:image/svg+xml,', ''))

test.each([
  ['ada', 'AD'],
  ['Ada King Lovelace', 'AL'],
  ['ada.lovelace', 'AL'],
  ['x', 'X'],
  ['šárka 7', 'Š7'],
  ['<&"\'>', '?'],
  ['', '?'],
])('[ACCOUNT-45] the initials of %j are %j', (name, initials) => {
  expect(svgOf(name)).toContain(`>${initials}</text>`)
})

test('[ACCOUNT-45] the avatar is always the same drawing, whatever the name', () => {
  const plain = svgOf('ada')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const svg = svgOf(name)
      const text = /<text [^>]*>([^<>&"']*)<\/text>/u.exec(svg)
      expect(svg.replace(text?.[1] ?? '', 'AD')).toBe(plain)
    }),
  )
})
