import { defaultSettings } from '@gateleg/domain/settings'
import { expect, test } from 'vitest'
import { readConfiguration } from './configuration.ts'
import { toSettings } from './to-settings.ts'

test('[SERVER-75] the instance has the settings that are configured, and the shipped ones for the rest', () => {
  expect(toSettings(readConfiguration({}))).toEqual(defaultSettings)
  const env = {
    MAX_FOLDER_DEPTH: '5',
    MAX_ATTACHMENT_BYTES: '10',
    ATTACHMENT_URL_TTL_SECONDS: '60',
    RECORD_HISTORY_DAYS: '7',
    TRASH_RETENTION_DAYS: '30',
    PUBLIC_URL: 'https://work.example/',
    TRUSTED_LOGIN_CLIENTS: 'https://login.example.com tables',
  }
  expect(toSettings(readConfiguration(env))).toEqual({
    maxFolderDepth: 5,
    maxAttachmentBytes: 10,
    attachmentUrlSeconds: 60,
    recordHistoryDays: 7,
    trashRetentionDays: 30,
    publicUrl: 'https://work.example',
    trustedLoginClients: [{ issuer: 'https://login.example.com', clientId: 'tables' }],
  })
})
