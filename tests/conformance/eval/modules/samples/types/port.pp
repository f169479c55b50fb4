type Samples::Port = Integer[1, 65535]
