import { expect, test } from 'vitest'
import { toAddressBlock } from './address-block.ts'

test('[ACCOUNT-14] counts IPv4 addresses one by one, whichever socket they came by', () => {
  expect(toAddressBlock('192.0.2.1')).toBe('192.0.2.1')
  expect(toAddressBlock('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(toAddressBlock('::FFFF:192.0.2.1')).toBe('192.0.2.1')
  for (const written of ['::ffff:707:808', '0:0:0:0:0:ffff:7.7.8.8', '0000::0:FFFF:0707:0808']) {
    expect(toAddressBlock(written)).toBe('7.7.8.8')
  }
  expect(toAddressBlock('::ffff:0:0')).toBe('0.0.0.0')
  expect(toAddressBlock('::fffe:707:808')).toBe('0:0:0:0::/64')
  expect(toAddressBlock('1::ffff:7.7.8.8')).toBe('1:0:0:0::/64')
})

test('[ACCOUNT-14] counts IPv6 addresses by their network', () => {
  const network = '2001:db8:0:1::/64'
  for (const address of ['2001:db8:0:1::', '2001:0DB8:0000:0001:ffff::9', '2001:db8:0:1:2:3:4:5']) {
    expect(toAddressBlock(address)).toBe(network)
  }
  expect(toAddressBlock('2001:db8::1:2:3:4:5')).toBe('2001:db8:0:1::/64')
  expect(toAddressBlock('2001:db8::1')).toBe('2001:db8:0:0::/64')
  expect(toAddressBlock('::1')).toBe('0:0:0:0::/64')
  expect(toAddressBlock('fe80::1%eth0')).toBe('fe80:0:0:0::/64')
})
