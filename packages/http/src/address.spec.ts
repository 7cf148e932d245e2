import { addressKind } from './host-guard.js';

describe('addressKind', () => {
  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.9.9.9',
    '172.31.0.1',
    '192.168.1.1',
    '198.19.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:0:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b:1::1',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '2002:7f00:1::1',
    'fe80::1%eth0',
    'no address',
  ])('judges %s as private', (address) => {
    expect(addressKind(address)).toBe('private');
  });

  it.each([
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    'fe80::1',
    'fd00:ec2::254',
  ])('judges %s as link-local', (address) => {
    expect(addressKind(address)).toBe('link-local');
  });

  it.each(['1.1.1.1', '172.32.0.1', '192.167.0.1', '2606:4700::1111', '::ffff:1.1.1.1', '64:ff9b::808:808'])(
    'judges %s as public',
    (address) => {
      expect(addressKind(address)).toBeUndefined();
    },
  );
});
