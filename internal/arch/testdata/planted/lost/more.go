package lost
