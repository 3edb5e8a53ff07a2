import { setTimeout as pause } from 'node:timers/promises'
import type { Attack } from '../attack.ts'

export const control: Attack = {
  name: 'control',
  about: 'nothing at all: the times that the machine itself gives, which others are compared with',
  isWholeOnly: true,
  run: () => pause(10_000),
}
