import type { OperationExamples } from '../../platform/http/openapi/openapi.ts';

/** Responses of the operations, as a service answered them; secrets are zeros. */
export const examples: OperationExamples = {
  getPublicKey: {
    '200': {
      kid: 'Y_P_EK4jEsvXsKQHCrAVfXyTpcCPeY_wkhFdafIqYRY',
      algorithm: 'Ed25519',
      public_key: '8ef059913d4fa6c7620f1ce7c7a1d7041337327563691f20e35db6feabcd867c',
      public_key_multibase: 'z6Mkp5EWFme6SPg6xg3Y1uMqmzkfGEvrB5e9S8UAHGt5X8TD',
      public_key_jwk: {
        kty: 'OKP',
        crv: 'Ed25519',
        x: 'jvBZkT1PpsdiDxznx6HXBBM3MnVjaR8g4122_qvNhnw',
      },
      purpose: 'receipts',
      audience: 'trust.example+fKBYJgmnEfPLiwJek1hNo3ASdPEGxcQlmUq8fi1RZRs',
      valid_from: '2026-05-01T12:00:00.000Z',
      rotation: {
        next_kid: null,
        next_valid_from: null,
        previous: [],
      },
    },
  },
  listTransparencyKeys: {
    '200': {
      keys: [
        {
          kid: 'Y_P_EK4jEsvXsKQHCrAVfXyTpcCPeY_wkhFdafIqYRY',
          public_key: '8ef059913d4fa6c7620f1ce7c7a1d7041337327563691f20e35db6feabcd867c',
          algorithm: 'Ed25519',
          purpose: 'receipts',
          status: 'active',
          valid_from: '2026-05-01T12:00:00.000Z',
          valid_until: null,
          log_index: 0,
          receipts_logs: [],
          receipts_tree_size: null,
        },
        {
          kid: 'fKBYJgmnEfPLiwJek1hNo3ASdPEGxcQlmUq8fi1RZRs',
          public_key: '64cc3b0fde03593607bc4c8a54a4550ce16e198be1496dc0ac415ca22fe7f0ce',
          algorithm: 'Ed25519',
          purpose: 'log',
          status: 'active',
          valid_from: '2026-05-01T12:00:00.000Z',
          valid_until: null,
          log_index: 2,
          receipts_logs: [],
          receipts_tree_size: null,
        },
        {
          kid: '3AZRGxoWEAgQfcwdzV1rkH9L_2VNw_qIIVH5qgI-djM',
          public_key:
            '5bc4b33a9aaf0682fb2b7bb60bbdf724ba5a3fca0526ffdc958ea343eb0e325debbca14613c8322a252e55f919e7864a69c15a4fe9fa36c035fa646144ec317613874b1d73f92e6985af57681d6af1045d091b06d354d4f00a601732d53ac7d59a03241db8827bcf689e09fa460b38091913ac90608f4b51b13985b548df70696ae6aabe71216e44f50e11141866bba744cd359b8e97b9ce1f0d46bccb21ee93e0afa1efae713de0c9280a63864899030f6e1ce61d151635bd9b62c8fd25a38f38fcecbeb91733d6b2b9d7b5a1a22be54bee064c8866d658af4ef04a08e592f54256cc7a8c7934c02e308fb68c1458cb78f30dac9e1a7e3acbff4fc213277faf2a2d4bf6a0731f4194dd8cad660fc94eb284be4468a38a09025133f0456a8123b9a0401c080c59f7dfae0c5e67b0dfc5479e5aa02bfb754f5ccc798b717060d407e5937bdfb1443bd2775ea83e0d2b77799a9d69c72ac83539fb8385cf677697bd71658dd8738752afb0d9c8e748a1031ee702dcade29196e43eaf0261908048476eeff48a8466d18f90b98f53b57061b1ff4a6ff10c9d65fb7008206ef8d0aebbd310ac51e19e350d06d0bd4e861be4cc2a8db7a5a2ea0dd1fde6499c08ab790d8bd47ac969cef106dad75e3e94793c5124038c99a190d98762536924afd384a2d10269c298732077ccb7c253dafaf5a9c8a557b99f07eca72fb17d5942ddadb65e5263ce91b3c689d8291651bb9f6bd4f8e7507e362cdd2cb27542cb3649f4ad3851bd5f478339daf2462ebaf1167e1d16ec00119d2fa500c0688e28e204721795057867ce653fc1b6396ad911b6cbb193ee139ac29b7266529760659c91c1aa29bff373d4c582a53ae1bc6b1a353c6f025d14d1f6e774bc0e52daa3810ee98d632f9c74a0b8e58d1fa2eaa82bf10e698a50cea04d007712e7e5c5d8edcd052c8aa8620dd87d574b6d12558c475d9baff15a28f5c42b3a2b51f0f14a9df8d6dab06ec24c104223a011b735f7bd98ebe991203852b99c7e4d1f814167517227a63cf88c45a3264277ec0bcaa7a019f2be8ea0bf43ac2beb15389dd2050b865f4e7738654ac6ac9f4ed1a7523addcac5adb1cfce64f5632f041d38c31d3ddf4869519d3079bb7cebe0d6f556123b6c4a9e84e5990abe621f11b12cf3c40a6cfabcb2fe9df5894b20ccead81486bed5508fd12e66f099382593631c4a3a6708a40d4619d1b2e21cbdd15f9634e21479bb871fded28efd8afb4afe32659501d795666fdfa57519a40ebf91df9324968f153f5cfacb45f17f5b625599394109eabef10de0537aec0f55ead6135e6c98eae3638ee2e97cb63963ad7748bcedb7061e96bda539f2be6500fba6d4320462a24a9f4359768c966c40e6a7a694e1867b0e3dcb8eff3f723b0b63c9909799d42d73bbc5e160d4335816a57c43d1e3b2fae0022627be866a611909665cad112d08e2833c4c1ee87f6aed5bad5b89cf56de03e9e94f8acfe5d41133bbc1f29d847968d4d94af834c06c96a6bc04adc0cbd4135cffbe78ff021a3634d6e2c7e8d5dc09ef91f255990f11e79837b7baa5ac4254b3e45271c6c634a3ea044b77dec6f8e357bf87c3cf66346b75434faa875aaa2fc269a239cbc10e50cc5ebe436765b7a889de76a9a3c2d0ba4d8ccfc613969407e8f5aa82b4424212ce747a2fd67c4e43b0611941836bc32890734d62274b7dedbd6ce8bce6bb50977b4393af51f479a8883a91088201547c380a8c10601094eec2a874942b0676b309eed2ef8c3a4e2a02ff0ddfa3da625d5ca455a7c1accb826c1d4ecddddb0175fbb3d5f47cc4621e7fedf1409caa19ae4475e165c42b263e',
          algorithm: 'ML-DSA-44',
          purpose: 'log',
          status: 'active',
          valid_from: '2026-05-01T12:00:00.000Z',
          valid_until: null,
          log_index: 4,
          receipts_logs: [],
          receipts_tree_size: null,
        },
        {
          kid: 'FtIu-VbGrfe_KB6CH7GNwODB72MNxj_ml11dEvO-7kk',
          public_key: '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
          algorithm: 'Ed25519',
          purpose: 'credentials',
          status: 'active',
          valid_from: '2026-05-01T12:00:00.000Z',
          valid_until: null,
          log_index: 6,
          receipts_logs: [],
          receipts_tree_size: null,
        },
      ],
      log: {
        origin: 'trust.example/keys',
        tree_size: 8,
        root_hash: '642ae84d5fabd45f286764617cfcb450b59990f726b6f6c67c07ced03eb135ee',
        checkpoint:
          'trust.example/keys\n8\nZCroTV+r1F8oZ2RhfPy0ULWZkPcmtvbGfAfO0D6xNe4=\n\n— trust.example/keys 1mkxiZQ9QgvKiB00rhEyoNeZXfi4/ieCzVG7ZsuEmeuuA9G4mQHq7oLAbVu9oVDZKLkDSzhSbaI1HMuqDe89pyyYCAI=\n— trust.example/keys E8ChPwAAAABp9JXA0euhjWb0QZOsEnQKm7zZC9gS+siwac8Dh/TFzejAKNFJcG0P3mOsaWJDl1hBfaUWOG2ZSUdNG4x1CvrlKPt4YfyzpB9Lyn6pqFlGpX9DcdTvHC5Dx4Exej5oZzAewermyjr/O86TXaDzTteUMe6Cln4UYL7/HMkewRjO9yU4LFPRyDXRI18vk+T4qudhnc4ASHfeOCBsQwRX7tFwV+DVl9ZH2AJTE2rYUZ5xC99QJt7M0692BD6OW0mJv/7+rPFc4drtZM+YsT8ouDrIcJNTCSJNzfmzkP8WYWop2UEMirpjZnolu2lgwujtCii246u7k44V/JEpd5HX4pHf4CvsndxvQh8DJtci/GoeFVCg9kWrECDaTadDo93Y6zCT5ZLmSDsY3Y7salv1URJ5jiEZaEGDiIIAnbfm/iZQ6V/QyzgxyDQoMNGsh3G/WmqxyurNzx20JnCCrA3SNFMeOhC5M8k5cyj1O2E4+RR/W7V5DWvo5FXTArmhIyo4SGH+Ds1UMqQrBtdyiJXuTAnq9W+T4P2zAIB/BI5Of53AaZcTOaVfYge0UKxNC9HnYifzb1+/cck0PSovPItRLRns4FqcSkO8C+R9Ima3esp1QnT28MI70QzdHDhCLmURlkK+imwXHDnlYaQQH+WJ9+tgAw1eu8OMuSewLWUrWhita1R1UWQI/rB+IVDyX/lPFc/J1dK78pjiVCwB+UqGW6l9haJxzAw7ZfIUV9YrqY+3LuTlVU8gbzTXSQWmQLB/BKoCxTjmmX/1NFIs643m6HmD9CZw91c2lXVbY/8dDZXPWjPG8UG8gGmAwIwmuaKIO7n7vxdPEirF521zBM60NzGxjCz+Y6r945p9G0xht4VQUsjkd8shJRTgGw3FK64P5Wn7J3Vv/1x2FATlXJ1JTUwW5ECfOdDddfLYsky3SMbYOX51oIdrbrbw96NWDIRkk9or2g0R3RTfENXgtQ+W6X1YpTmcWtW2XrvXFqdOybYmUHofk908sSHf1kg0vV4b+S4ylD+gSEBcNBJCeiEbp0MCWdqGfz4+eIy9erOO6ue4TgLrDOF/Z5LGVxJ0f430ryqN6Y5m9USG3r3tPKYrN5D4mt6rEfAXybW5vQVMejkJp8QdqXuvfhkVyJ6rMnjb0aVaYcm44PXz52mqkUXZFCoWXJ/r+lnjWFrrMZZq5Ls+tjsWNnWPOZ7Z+IRPvpkpGKgtx8LYUuZ7iwwEOktPqsPH10pPRcWVoT+R71FARsOb0i9q1WI8lnMqlaEm0/3kgJ1J9NRRQJiyXiMmZR4g7v3IoweQQpKSs4lJEyJaW6Qbnvbby5GmJ2mxDCc8eLndbjBOtJAbTVbmzA2AogjvDb28xwXXtbSRK40uEBKjbxu/slWoluN5A6p6xRK4BkScUI9m54z2tBy7lqT4JNk52aA2j4JuuJJxKy14IdfNSG2+KMWV57DB6TyCpBm3hu7U3cAgZDKD6SQNid8RV6WNpgkxtrHt1YB6LCoHkHizHXgmTLmuYSmK3zDX7GmqSKj7TwXy5UcMONfZw5g2jQ7iIP8uTvX2bK/6kCQA8ti7a3zODmjqnn+FZCTFDlaqC+0ypI2ysrXZD8VDKwZragfteISbTarIDrLKi5wp8uY4xb3cr+1q3JlunzYBflvO8MOn/iwydFe4HyBaR1xN7OundH+8bvqd0xjTTBvo33zUqoiaL84DnP7cDfO6nS6c/nxv21CmSPSR2hUnfiZU+a7xB177N7qM4Y+W4iuXLhhkU5AJ5uD2Qtt7+ZTOH8gecnsU05GA1Gl1AGhL62rOm8N4sXIJl4eSdioDVTtUXkKF+tpjlAT95keSBLF9qZy9aO7uK+ESvtonzent1D5wMysZlX0PDl3HGzqi26TtgZl3zGT2BgxQXyErnSJklal1tw4ZaWn85GPSD7cx6B9cfYP/s/pNZUgN+DVbfnQ9Hs3RAN+8d4H3I/DpE8hBbkg6te3hw1YLRdmaGnA0msIrSu6oiWD52LaDSULAdS07qI9d8JnkHs+sVlJLdnti6RArxQj+MAflsW7H/v59zZYbPMm3BU6S6VnXmgUo7Mc/CJCf2MBpUWvMlYUrJ0C65C6g+xppiF/IkiHLgRAS72TelVKhtQmBvHKbAhWRS+bfvNP06h18qXpGU8Bz1NpdLZFM1u3i86HsVEiMd7uzriMJmFYZYZSdoeeLZS1xQWGROjMayu1uBxlXnNU3Vaa6JKAjgVLMC7PJiP+CzTB0XaGt2OGmlaVj26Z1/XzrC/gPtsLXs8pvQjGTcQY7PqlhFyUgMJcYlEPvm2HC2rW4Nm8L+A2jtaUDQhrE9U4qibF2pZeWEFKlFRkf+xxsdlbzUtGwsV/UGVYvJzH4QN82AsKgWorKaMpw+O79bI8hzdQVysAEMSMXCNrQKNjbJTIHZOQdaCUVDH6CXc9qtwpfer0qwUA7cra87SlopJLeRtgdZ0rCRkHeEHQpFKjXk7KTHyL4rDtEjnL/bSPsjppWI51ls5PVjwtTXAjBK+NMztqV7e4wqnShsOSi1yQ3QMpus80sDOlhWu9tswuYbZEeHqpFuxYjUGvlGbRgRUVw49AfIhADTepjkiAciWpSEIYK9eQClDlMlpeiYesIVFYh28a5B4i1iBrqtPp3Qmiyi/+8avbV+48ORHFtbZ0SH6nuBj9mS28AZHFufRsPi76K9MTfY2Qs4EpEAW/sG4cCZsxwj6ZYj72G4MFyMpuvLUm8vXcm4PdepkjkZeq9PkC2/lyQUiOdPg5ZGmncQGmaMHkuDyv/iolUaiXHOEPEdz2Gk4TW4R8jup/s42AcgtNm55m7HbP7k8oavFiN5dvmOh6pVpoqvwbzDk6sgCIIEoNvcOk7ggdiN2RcoOJtIzcBToqy38dQUujJgxx6Z0b6tMUWAZi1f43t2ICiuYeFyldJ/5iM3nOvXJwYEkZTzvhm5ka56ksuQXzTSq33THCG9sSsvceHTl9qDyyGwZhUAfTuv9/LPwlVJvNWPBtrQdC3M6HgIE3vNhhGPGchpXOLSxGAaaTMtvsSypxftGwXjtNcjOaJuWXr7Be2kEsUC0EhBtdRftDdK1de6Ias+jIbp/pDPX0mYm2OUxQAMtYKDhIaG0BFSltrkJGanqussbbP3ufx/wEaHB83Oj1FSlBhcH2Cq625BRIrVWh0e4CMmqyxuMnK1tfc5PEYGxw0PUpPWl9jfpKVw83j/AAAABcoPE0=\n',
      },
    },
  },
};
